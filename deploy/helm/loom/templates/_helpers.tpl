{{- define "loom.name" -}}
{{- .Values.fullnameOverride | default (ternary .Release.Name (printf "%s-loom" .Release.Name) (contains "loom" .Release.Name)) | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "loom.gateway.name" -}}
{{ include "loom.name" . }}-gateway
{{- end }}

{{- /* (list context plane) */ -}}
{{- define "loom.plane.name" -}}
{{ include "loom.name" (index . 0) }}-{{ index . 1 }}
{{- end }}

{{- define "loom.inner" -}}
{{ include "loom.name" . }}-inner:7780
{{- end }}

{{- define "loom.chdb" -}}
{{- if and (eq .Values.mode "single") (not .Values.clickhouse.existingSecret) }}true{{ end -}}
{{- end }}

{{- define "loom.served" -}}
directory observe memory{{ if .Values.planes.tracker.enabled }} tracker{{ end }}
{{- end }}

{{- define "loom.image" -}}
{{- $tag := .Values.image.tag | default (printf "%s%s" .Chart.AppVersion (ternary "-chdb" "" (eq (include "loom.chdb" .) "true"))) -}}
{{ .Values.image.repository }}:{{ $tag }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- define "loom.envoy.image" -}}
{{- with .Values.envoy.image }}{{ .repository }}:{{ .tag }}{{ with .digest }}@{{ . }}{{ end }}{{ end -}}
{{- end }}

{{- define "loom.labels" -}}
app.kubernetes.io/name: loom
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* (list context component) */ -}}
{{- define "loom.selector" -}}
app.kubernetes.io/name: loom
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- /* drain, running calls, what closing may take (runtime/lifecycle.py) and 5 s of room, after the sleep before */ -}}
{{- define "loom.gracePeriod" -}}
{{ add .Values.shutdown.preStopSeconds .Values.shutdown.drainSeconds .Values.shutdown.graceSeconds 20 }}
{{- end }}

{{- define "loom.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .Values.securityContext.runAsUser }}
runAsGroup: {{ .Values.securityContext.runAsGroup }}
fsGroup: {{ .Values.securityContext.fsGroup }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "loom.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- /* What all pods have alike. (dict "root" context "component" name "spread" bool) */ -}}
{{- define "loom.podCommon" -}}
serviceAccountName: {{ include "loom.name" .root }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{- include "loom.podSecurity" .root | nindent 2 }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- if .spread }}
topologySpreadConstraints:
  {{- $selector := include "loom.selector" (list .root .component) }}
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- $selector | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- end }}
{{- end }}

{{- /* (dict "root" context "component" name "checksum" text) */ -}}
{{- define "loom.podMeta" -}}
labels:
  {{- include "loom.labels" .root | nindent 2 }}
  app.kubernetes.io/component: {{ .component }}
  {{- with .root.Values.podLabels }}{{ toYaml . | nindent 2 }}{{ end }}
{{- if or .root.Values.podAnnotations .checksum }}
annotations:
  {{- with .root.Values.podAnnotations }}{{ toYaml . | nindent 2 }}{{ end }}
  {{- with .checksum }}
  checksum/config: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- /* Settings of every Loom process, as env entries. */ -}}
{{- define "loom.commonEnv" -}}
- {name: LOOM_LOG_LEVEL, value: {{ .Values.logLevel | quote }}}
- {name: LOOM_MAX_CONCURRENT, value: {{ .Values.limits.maxConcurrent | int | quote }}}
- {name: LOOM_METRICS_LISTEN, value: "0.0.0.0:9464"}
- {name: LOOM_DRAIN_S, value: {{ .Values.shutdown.drainSeconds | quote }}}
- {name: LOOM_GRACE_S, value: {{ .Values.shutdown.graceSeconds | quote }}}
{{- if .Values.auth.keysSecret }}
- {name: LOOM_KEYS_DIR, value: /keys}
{{- else }}
- {name: LOOM_ALLOW_INSECURE, value: "on"}
{{- end }}
{{- with .Values.tracing.endpoint }}
- {name: LOOM_OTLP_ENDPOINT, value: {{ . | quote }}}
- {name: LOOM_TRACE_SAMPLE_RATIO, value: {{ $.Values.tracing.sampleRatio | quote }}}
{{- end }}
{{- end }}

{{- /* The DSN as a file: a secret's value in the environment shows in more places. (list context wait) */ -}}
{{- define "loom.storeEnv" -}}
{{- $root := index . 0 }}
- {name: LOOM_CLICKHOUSE_DSN_FILE, value: /dsn/dsn}
{{- with $root.Values.clickhouse.cluster }}
- {name: LOOM_STORE_CLUSTER, value: {{ . | quote }}}
{{- end }}
{{- if index . 1 }}
- {name: LOOM_AWAIT_SCHEMA_S, value: {{ $root.Values.migration.awaitSeconds | quote }}}
{{- end }}
{{- end }}

{{- /* More settings: a map of names and values. Helm would write the number 1000000 as 1e+06, which is no whole number. */ -}}
{{- define "loom.moreEnv" -}}
{{- range $name, $value := . }}
- {name: {{ $name }}, value: {{ ternary $value (toJson $value) (kindIs "string" $value) | quote }}}
{{- end }}
{{- end }}

{{- /* Settings of the tracker plane, and of the memory plane: (list context plane) */ -}}
{{- define "loom.planeEnv" -}}
{{- $values := (index . 0).Values.planes }}
{{- if eq (index . 1) "memory" }}
{{- with $values.memory.apiKeysSecret }}
{{- range list "LOOM_EMBEDDER_API_KEY" "LOOM_LLM_API_KEY" }}
- name: {{ . }}
  valueFrom: {secretKeyRef: {name: {{ $values.memory.apiKeysSecret }}, key: {{ . }}, optional: true}}
{{- end }}
{{- end }}
{{- end }}
{{- if and (eq (index . 1) "tracker") $values.tracker.enabled }}
- name: LOOM_SECRET_KEY
  valueFrom: {secretKeyRef: {name: {{ $values.tracker.secretKeySecret }}, key: LOOM_SECRET_KEY}}
{{- with $values.tracker.org }}
- {name: LOOM_TRACKER_ORG, value: {{ . | quote }}}
{{- end }}
{{- end }}
{{- end }}

{{- /* (dict "root" context "store" secret or empty "signs" bool) */ -}}
{{- define "loom.mounts" -}}
- {name: tmp, mountPath: /tmp}
{{- if .root.Values.auth.keysSecret }}
- {name: keys, mountPath: /keys, readOnly: true}
{{- end }}
{{- if .store }}
- {name: dsn, mountPath: /dsn, readOnly: true}
{{- end }}
{{- end }}

{{- define "loom.volumes" -}}
- name: tmp
  emptyDir: {sizeLimit: 1Gi}
{{- if .root.Values.auth.keysSecret }}
- name: keys
  projected:
    defaultMode: 0440
    sources:
      - secret: {name: {{ .root.Values.auth.keysSecret }}, items: [{key: jwks.json, path: jwks.json}, {key: internal.key, path: internal.key}]}
      {{- if and .signs .root.Values.auth.signingSecret }}
      - secret: {name: {{ .root.Values.auth.signingSecret }}}
      {{- end }}
{{- end }}
{{- with .store }}
- name: dsn
  secret:
    secretName: {{ . }}
    defaultMode: 0440
    items: [{key: {{ $.root.Values.clickhouse.key }}, path: dsn}]
{{- end }}
{{- end }}

{{- define "loom.preStop" -}}
preStop: {sleep: {seconds: {{ .Values.shutdown.preStopSeconds }}}}
{{- end }}
