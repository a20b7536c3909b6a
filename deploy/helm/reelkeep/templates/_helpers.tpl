{{- define "reelkeep.name" -}}
{{- /* Short enough that names of pods are valid names of nodes (64 characters). */ -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "reelkeep.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "reelkeep.labels" -}}
{{ include "reelkeep.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "reelkeep.secretName" -}}
{{ .Values.existingSecret | default (include "reelkeep.name" .) }}
{{- end }}

{{- define "reelkeep.claimName" -}}
{{ .Values.storage.existingClaim | default (include "reelkeep.name" .) }}
{{- end }}

{{- /* The pod of a server. `role` is web, worker or single. */ -}}
{{- define "reelkeep.pod" -}}
{{- $values := .root.Values }}
{{- $isNode := ne .role "single" }}
{{- $isRemote := and $isNode $values.s3.bucket }}
{{- $hasArchive := and $isNode (or (not $isRemote) $values.storage.existingClaim) }}
metadata:
  labels:
    {{- include "reelkeep.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
  {{- if and $isNode (not $values.existingSecret) }}
  annotations:
    checksum/secret: {{ printf "%s %s %s %s" $values.databaseUrl $values.key $values.s3.accessKey $values.s3.secretKey | sha256sum }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false # a service `reelkeep` would set REELKEEP_PORT
  shareProcessNamespace: true # ends of yt-dlp and ffmpeg are collected
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  {{- if $hasArchive }}
  initContainers:
    # As the account of the server: Kubernetes would create the folders below as root.
    - name: folders
      image: {{ include "reelkeep.image" .root }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      command: [mkdir, -p, {{ if not $isRemote }}/archive/media, /archive/cache, /archive/backup, /archive/history, {{ end }}/archive/import, /archive/migrate]
      securityContext:
        {{- include "reelkeep.hardened" . | nindent 8 }}
      volumeMounts:
        - { name: archive, mountPath: /archive }
  {{- end }}
  containers:
    - name: reelkeep
      image: {{ include "reelkeep.image" .root }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      env:
        - { name: REELKEEP_DATA, value: /data }
        {{- if $isNode }}
        - { name: REELKEEP_ROLE, value: {{ .role }} }
        - { name: REELKEEP_NODE, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
        - { name: REELKEEP_DATABASE_FILE, value: /secrets/database }
        - { name: REELKEEP_KEY_FILE, value: /secrets/key }
        {{- end }}
        {{- if $isRemote }}
        {{- with $values.s3 }}
        - { name: REELKEEP_S3_BUCKET, value: {{ .bucket | quote }} }
        {{- with .endpoint }}
        - { name: REELKEEP_S3_ENDPOINT, value: {{ . | quote }} }
        {{- end }}
        - { name: REELKEEP_S3_REGION, value: {{ .region | quote }} }
        - { name: REELKEEP_S3_PATH_STYLE, value: {{ ternary "on" "off" .pathStyle | quote }} }
        - { name: REELKEEP_S3_REDIRECT, value: {{ ternary "on" "off" .redirect | quote }} }
        {{- end }}
        - { name: REELKEEP_S3_ACCESS_KEY_FILE, value: /secrets/s3-access-key }
        - { name: REELKEEP_S3_SECRET_KEY_FILE, value: /secrets/s3-secret-key }
        {{- else if $isNode }}
        - { name: REELKEEP_MEDIA, value: /archive/media }
        - { name: REELKEEP_CACHE, value: /archive/cache }
        - { name: REELKEEP_VIEWS, value: /archive/views }
        {{- end }}
        {{- with $values.trustedProxies }}
        - { name: REELKEEP_TRUSTED_PROXIES, value: {{ join "," . | quote }} }
        {{- end }}
        {{- range $name, $value := $values.env }}
        - { name: {{ $name }}, value: {{ $value | toString | quote }} }
        {{- end }}
      ports:
        - { name: http, containerPort: 8000 }
      # The server listens after it has migrated the database, which can take long.
      startupProbe:
        httpGet: { path: /livez/, port: http }
        periodSeconds: 5
        failureThreshold: 720
      livenessProbe:
        httpGet: { path: /livez/, port: http }
        periodSeconds: 20
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz/, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
      {{- if ne .role "worker" }}
      # Until no proxy sends requests any more.
      lifecycle: { preStop: { exec: { command: [sleep, '5'] } } }
      {{- end }}
      resources:
        {{- toYaml (index $values .role).resources | nindent 8 }}
      securityContext:
        {{- include "reelkeep.hardened" . | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
        {{- if or $isNode $values.existingSecret }}
        - { name: secrets, mountPath: /secrets, readOnly: true }
        {{- end }}
        {{- if $hasArchive }}
        {{- if not $isRemote }}
        - { name: archive, mountPath: /archive }
        {{- end }}
        {{- range ternary (list "import" "migrate") (list "backup" "history" "import" "migrate") (not (empty $isRemote)) }}
        - { name: archive, mountPath: /data/{{ . }}, subPath: {{ . }} }
        {{- end }}
        {{- end }}
  volumes:
    - { name: tmp, emptyDir: {} }
    {{- if $isNode }}
    - { name: data, emptyDir: {} }
    {{- if $hasArchive }}
    - { name: archive, persistentVolumeClaim: { claimName: {{ include "reelkeep.claimName" .root }} } }
    {{- end }}
    {{- else }}
    - { name: data, persistentVolumeClaim: { claimName: {{ include "reelkeep.claimName" .root }} } }
    {{- end }}
    {{- if or $isNode $values.existingSecret }}
    - { name: secrets, secret: { secretName: {{ include "reelkeep.secretName" .root }}, defaultMode: 0440 } }
    {{- end }}
{{- end }}

{{- define "reelkeep.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
{{- end }}

{{- define "reelkeep.hardened" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
