import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '#server/platform/config/config.ts';
import { variables } from '#server/platform/config/env-variables.ts';

// The Helm chart: its files, and with helm what it renders.

const root = join(import.meta.dirname, '..');
const chart = join(root, 'deploy/helm/reelkeep');
const read = (path: string) => readFileSync(join(chart, path), 'utf8');
const values = parse(read('values.yaml')) as Record<string, unknown>;
const schema = JSON.parse(read('values.schema.json')) as { properties: { env: { propertyNames: { not: { enum: string[] } } } } };
const templates = readdirSync(join(chart, 'templates')).map((name) => read(`templates/${name}`));
const secrets = { databaseUrl: 'postgres://reelkeep:a@database/reelkeep', key: '5a'.repeat(32) };

const helm = [process.env.REELKEEP_TEST_HELM || 'helm'].find((path) => spawnSync(path, ['version']).status === 0);
if (!helm) process.stdout.write('helm is not installed: what the chart renders is not tested\n');

describe('the Helm chart', () => {
  test('has the version of the program', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(parse(read('Chart.yaml'))).toMatchObject({ apiVersion: 'v2', name: 'reelkeep', version, appVersion: version });
  });

  test('has a schema that accepts its values and rejects wrong ones', () => {
    const validate = new Ajv({ strictTypes: false }).compile(schema);
    const isValid = (changes: object) => validate({ ...values, ...changes });
    expect([isValid(secrets), isValid({ existingSecret: 'a' }), isValid({ mode: 'single' })]).toEqual([true, true, true]);
    for (const wrong of [
      {}, // no database
      { databaseUrl: secrets.databaseUrl }, // no key
      { ...secrets, key: 'short' },
      { ...secrets, databaseUrl: 'mysql://database' },
      { ...secrets, mode: 'double' },
      { ...secrets, replicas: 3 },
      { ...secrets, web: { replicas: 0 } },
      { ...secrets, env: { REELKEEP_NODE: 'all the same' } },
    ])
      expect(isValid(wrong), JSON.stringify(wrong)).toBe(false);
  });

  test('uses only values and variables that exist', () => {
    const texts = templates.join('\n');
    const paths = [...texts.matchAll(/(?:\.Values|\$values)\.([\w.]+)/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(20);
    const find = (path: string) => path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], values);
    expect(paths.filter((path) => find(path) === undefined)).toEqual([]);
    const names = [...texts.matchAll(/name: (REELKEEP_\w+)/g)].map(([, name]) => name!.replace(/_FILE$/, ''));
    expect([...names, ...schema.properties.env.propertyNames.not.enum].filter((name) => !(name in variables))).toEqual([]);
  });
});

interface Container {
  env: { name: string; value?: string; valueFrom?: object }[];
  livenessProbe: { httpGet: { path: string } };
  readinessProbe: { httpGet: { path: string } };
  volumeMounts: { name: string; mountPath: string }[];
}
interface Resource {
  kind: string;
  metadata: { name: string };
  spec: {
    replicas: number;
    accessModes: string[];
    selector: { matchLabels: object };
    template: { metadata: { labels: object }; spec: { containers: [Container]; enableServiceLinks: boolean } };
  };
}

describe.runIf(helm)('rendered by helm', () => {
  const run = (...args: string[]) => spawnSync(helm!, args, { encoding: 'utf8' });
  function render(...settings: string[]): Resource[] {
    const { stdout, stderr } = run('template', 'reelkeep', chart, ...settings.flatMap((one) => ['--set', one]));
    expect(stderr).toBe('');
    return parseAllDocuments(stdout).map((document) => document.toJS() as Resource);
  }
  const cluster = Object.entries(secrets).map(([name, value]) => `${name}=${value}`);
  const configOf = ({ spec }: Resource) =>
    readConfig(
      Object.fromEntries(
        spec.template.spec.containers[0].env.map(({ name, value }): [string, string] => {
          if (name === 'REELKEEP_NODE') return [name, 'reelkeep-pod-1'];
          if (name === 'REELKEEP_DATABASE_FILE') return ['REELKEEP_DATABASE', secrets.databaseUrl];
          if (name === 'REELKEEP_S3_ACCESS_KEY_FILE') return ['REELKEEP_S3_ACCESS_KEY', 'a'];
          if (name === 'REELKEEP_S3_SECRET_KEY_FILE') return ['REELKEEP_S3_SECRET_KEY', 'b'];
          return name === 'REELKEEP_KEY_FILE' ? ['REELKEEP_KEY', secrets.key] : [name, value!];
        }),
      ),
    );

  test('has no complaints of helm lint', () => {
    for (const settings of [cluster, ['mode=single']])
      expect(run('lint', '--strict', chart, ...settings.flatMap((one) => ['--set', one])).stdout).toContain('0 chart(s) failed');
  });

  test('as a cluster: web servers and workers whose names are those of their pods', () => {
    const all = render(...cluster, 'env.TZ=Europe/Berlin', 'trustedProxies={10.0.0.0/24}', 'ingress.enabled=true');
    expect(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'Deployment reelkeep-web',
      'Ingress reelkeep',
      'PersistentVolumeClaim reelkeep',
      'PodDisruptionBudget reelkeep-web',
      'PodDisruptionBudget reelkeep-worker',
      'Secret reelkeep',
      'Service reelkeep',
      'StatefulSet reelkeep-worker',
    ]);
    const [web, worker] = ['Deployment', 'StatefulSet'].map((kind) => all.find((one) => one.kind === kind)!);
    expect(configOf(web!)).toMatchObject({ role: 'web', node: 'reelkeep-pod-1', trustedProxies: ['10.0.0.0/24'] });
    expect(configOf(worker!)).toMatchObject({ role: 'worker', node: 'reelkeep-pod-1', mediaFolder: '/archive/media' });
    for (const { spec } of [web!, worker!]) {
      expect(spec.replicas).toBe(2);
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      const { containers, ...pod } = spec.template.spec;
      // With links of services, a service `reelkeep` would set REELKEEP_PORT to a URL.
      expect(pod).toMatchObject({ enableServiceLinks: false, automountServiceAccountToken: false });
      expect(containers[0]).toMatchObject({
        livenessProbe: { httpGet: { path: '/livez/' } },
        readinessProbe: { httpGet: { path: '/readyz/' } },
        securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      });
      expect(containers[0].env.find(({ name }) => name === 'REELKEEP_NODE')?.valueFrom).toEqual({
        fieldRef: { fieldPath: 'metadata.name' },
      });
    }
    expect(all.find(({ kind }) => kind === 'PersistentVolumeClaim')!.spec.accessModes).toEqual(['ReadWriteMany']);
  });

  test('with a bucket: servers without a shared volume, and the keys as files', () => {
    const s3 = ['s3.bucket=archive', 's3.endpoint=https://s3.example.org', 's3.accessKey=a', 's3.secretKey=b'];
    const all = render(...cluster, ...s3);
    expect(all.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim');
    expect(all.find(({ kind }) => kind === 'Secret')).toMatchObject({
      stringData: { 's3-access-key': 'a', 's3-secret-key': 'b' },
    });
    for (const kind of ['Deployment', 'StatefulSet']) {
      const server = all.find((one) => one.kind === kind)!;
      expect(configOf(server)).toMatchObject({
        s3: { bucket: 'archive', endpoint: 'https://s3.example.org', accessKey: 'a', pathStyle: true, redirect: false },
        mediaFolder: '/data/media',
      });
      expect(JSON.stringify(server)).not.toContain('/archive');
    }
    const withClaim = render(...cluster, ...s3, 'storage.existingClaim=shared').find(({ kind }) => kind === 'StatefulSet')!;
    const mounts = withClaim.spec.template.spec.containers[0].volumeMounts.filter(({ name }) => name === 'archive');
    expect(mounts.map(({ mountPath }) => mountPath)).toEqual(['/data/import', '/data/migrate']);
    const { stderr } = run('template', 'reelkeep', chart, ...[...cluster, 's3.bucket=archive'].flatMap((one) => ['--set', one]));
    expect(stderr).toContain('s3.accessKey');
  });

  test('as a single server: SQLite on one volume, never two at a time', () => {
    const all = render('mode=single');
    expect(all.map(({ kind }) => kind).sort()).toEqual(['Deployment', 'PersistentVolumeClaim', 'Service']);
    const server = all.find(({ kind }) => kind === 'Deployment')!;
    expect(server.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    expect(configOf(server)).toMatchObject({ role: 'all', node: undefined, databaseUrl: undefined });
    expect(all.find(({ kind }) => kind === 'PersistentVolumeClaim')!.spec.accessModes).toEqual(['ReadWriteOnce']);
  });

  test('without a database: fails and names the value', () => {
    const { status, stderr } = run('template', 'reelkeep', chart);
    expect([status, stderr]).toEqual([1, expect.stringContaining('databaseUrl')]);
  });
});
