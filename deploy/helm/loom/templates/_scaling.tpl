{{- /* (dict "root" context "component" name "name" name of the deployment "values" its values) */ -}}
{{- define "loom.scaling" -}}
{{- $scaled := and .values.autoscaling .values.autoscaling.enabled }}
{{- if gt (int (ternary (default dict .values.autoscaling).minReplicas .values.replicas (default false $scaled))) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name }}
  labels:
    {{- include "loom.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  maxUnavailable: 1
  # A pod that does not work may be evicted: it protects nobody.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "loom.selector" (list .root .component) | nindent 6 }}
{{- end }}
{{- if $scaled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .name }}
  labels:
    {{- include "loom.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: {{ .name }}}
  minReplicas: {{ .values.autoscaling.minReplicas }}
  maxReplicas: {{ .values.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource: {name: cpu, target: {type: Utilization, averageUtilization: {{ .values.autoscaling.cpuPercent }}}}
  behavior:
    scaleDown: {stabilizationWindowSeconds: 300}
{{- end }}
{{- end }}
