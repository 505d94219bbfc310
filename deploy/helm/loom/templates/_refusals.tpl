{{- /* What the schema cannot say: values that do not go together, refused by a sentence. */ -}}
{{- define "loom.refuse" -}}
{{- $v := .Values -}}
{{- if eq $v.mode "split" -}}
  {{- if not $v.clickhouse.existingSecret -}}
    {{- fail "clickhouse.existingSecret: split mode needs a ClickHouse server, since chDB locks its folder for one process. Name the secret with its DSN, or set mode to single." -}}
  {{- end -}}
  {{- if ne (int $v.planes.directory.replicas) 1 -}}
    {{- fail "planes.directory.replicas must be 1: two directory processes on one database are not safe, since each puts changes of rights in order for itself." -}}
  {{- end -}}
{{- end -}}
{{- if and (eq $v.mode "single") (ne (int $v.single.replicas) 1) -}}
  {{- if $v.clickhouse.existingSecret -}}
    {{- fail "single.replicas must be 1: a single process holds the directory, and two of those on one database are not safe. Use mode split for more." -}}
  {{- end -}}
  {{- fail "single.replicas must be 1: on chDB one process holds the data folder, and a second one could only stand still. For more replicas name a ClickHouse server in clickhouse.existingSecret and set mode to split." -}}
{{- end -}}
{{- if and (not $v.auth.keysSecret) (not $v.auth.allowInsecure) -}}
  {{- fail "auth.keysSecret: without keys everyone who reaches the port may read and write everything. Make keys with `loom keys new` and name their secret, or set auth.allowInsecure if the network itself keeps others out." -}}
{{- end -}}
{{- if and $v.auth.signingSecret (not $v.auth.keysSecret) -}}
  {{- fail "auth.signingSecret needs auth.keysSecret: the public half of the key is in jwks.json." -}}
{{- end -}}
{{- if and $v.auth.signingSecret (eq $v.auth.signingSecret $v.auth.keysSecret) -}}
  {{- fail "auth.signingSecret must be another secret than auth.keysSecret: whoever may read or change the public half, which every process gets, would hold the private key too." -}}
{{- end -}}
{{- $policy := $v.networkPolicy -}}
{{- if and $v.clickhouse.existingSecret $policy.enabled $policy.egress.restricted (not $policy.egress.to) -}}
  {{- fail "networkPolicy.egress.to: with restricted egress and nothing here no pod reaches ClickHouse. Name where it runs, as an egress rule of Kubernetes." -}}
{{- end -}}
{{- if and (eq $v.mode "single") $v.envoy.tls.existingSecret -}}
  {{- fail "envoy.tls.existingSecret: single mode has no Envoy and would serve without TLS. Let TLS end in front of the service and leave this empty, or set mode to split." -}}
{{- end -}}
{{- if and $v.planes.tracker.enabled (not $v.planes.tracker.org) -}}
  {{- fail "planes.tracker.org: without an organisation no tracker serves. Name the one whose namespaces read trackers." -}}
{{- end -}}
{{- if and $v.planes.tracker.enabled (not $v.planes.tracker.secretKeySecret) -}}
  {{- fail "planes.tracker.secretKeySecret: the tracker plane needs the secret with LOOM_SECRET_KEY, which the credentials of sources are encrypted with." -}}
{{- end -}}
{{- $limit := dig "limits" "memory" "" $v.envoy.resources | toString -}}
{{- if regexMatch "^[0-9]+[MG]i$" $limit -}}
  {{- $mebibytes := mul (regexFind "^[0-9]+" $limit) (ternary 1024 1 (hasSuffix "Gi" $limit)) -}}
  {{- if ge (int64 $v.envoy.maxHeapMebibytes) (int64 $mebibytes) -}}
    {{- fail "envoy.maxHeapMebibytes must be below envoy.resources.limits.memory: a pod that reaches that is killed before Envoy refuses anything. Leave a quarter between them." -}}
  {{- end -}}
{{- end -}}
{{- range $name, $one := merge (dict "gateway" $v.gateway) $v.planes -}}
  {{- with $one.autoscaling -}}
    {{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
      {{- fail (printf "%s.autoscaling: minReplicas must not be over maxReplicas." $name) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- end }}
