import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#server/platform/config/config.ts';
import { variables } from '#server/platform/config/env-variables.ts';

// compose.cluster.yaml and nginx.cluster.conf fit each other, the image and the program. e2e/nodes/behind-nginx.test.ts runs nginx.

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Service {
  environment?: Record<string, string>;
  volumes: string[];
  secrets?: string[];
  networks?: { default: { ipv4_address: string } };
}
interface Compose {
  services: Record<string, Service>;
  volumes: object;
  secrets: Record<string, { file: string }>;
}
const parseCompose = (path: string) => parse(read(path), { merge: true }) as Compose;
const text = read('deploy/compose.cluster.yaml');
const { services, volumes, secrets } = parseCompose('deploy/compose.cluster.yaml');
const nodes = Object.entries(services).filter(([, { environment }]) => environment?.REELKEEP_ROLE);
const mountsOf = ({ volumes: list }: Service) => list.map((one) => one.split(':') as [string, string]);

describe('deploy/compose.cluster.yaml', () => {
  test('runs PostgreSQL, nginx, two web servers and two workers, which are as hardened as the single one', () => {
    expect(Object.keys(services)).toEqual(['proxy', 'web-1', 'web-2', 'worker-1', 'worker-2', 'database']);
    expect(nodes.map(([, { environment }]) => environment!.REELKEEP_ROLE)).toEqual(['web', 'web', 'worker', 'worker']);
    const {
      ports: _,
      volumes: _volumes,
      build: _build,
      ...single
    } = parseCompose('compose.yaml').services.reelkeep as Service & {
      ports: unknown;
      build: unknown;
    };
    expect(single).toHaveProperty('read_only');
    for (const [name, service] of nodes) expect(service, name).toMatchObject({ ...single, build: '..' });
  });

  test('gives each server variables that the program accepts', () => {
    for (const [name, { environment }] of nodes) {
      const names = Object.keys(environment!).map((variable) => variable.replace(/_FILE$/, ''));
      expect(names.filter((variable) => !(variable in variables))).toEqual([]);
      const { REELKEEP_DATABASE_FILE: database, REELKEEP_KEY_FILE: key, ...env } = environment!;
      expect([database, key]).toEqual(['/run/secrets/database', '/run/secrets/key']);
      const secretValues = { REELKEEP_DATABASE: 'postgres://reelkeep:a@database/reelkeep', REELKEEP_KEY: '5a'.repeat(32) };
      expect(readConfig({ ...env, ...secretValues })).toMatchObject({ node: name, mediaFolder: '/archive/media' });
    }
  });

  test('has an own data folder for each server, and shares folders that the image has with their owner', () => {
    const own = nodes.map(([, node]) => mountsOf(node).find(([, folder]) => folder === '/data')![0]);
    expect(own).toEqual(nodes.map(([name]) => name));
    const shared = nodes.map(([, node]) => mountsOf(node).filter(([, folder]) => folder !== '/data'));
    for (const mounts of shared) expect(mounts).toEqual(shared[0]);
    const created = / install -d -o node -g node (.+)$/m.exec(read('Dockerfile'))![1]!.split(' ');
    expect(shared[0]!.map(([, folder]) => folder).filter((folder) => !created.includes(folder))).toEqual([]);
    const used = Object.values(services).flatMap((service) => mountsOf(service).map(([name]) => name));
    expect([...new Set(used)].filter((name) => !name.startsWith('.')).sort()).toEqual(Object.keys(volumes).sort());
  });

  test('names secrets that its instructions create', () => {
    for (const [name, { file }] of Object.entries(secrets)) {
      expect(file).toBe(`./secrets/${name}`);
      expect(text).toContain(` > ${name}`);
    }
    const used = Object.values(services).flatMap((service) => service.secrets ?? []);
    expect([...new Set(used)].sort()).toEqual(Object.keys(secrets).sort());
  });

  test('has the addresses of nginx.cluster.conf, and trusts only nginx', () => {
    const addressOf = (service: Service) => service.networks?.default.ipv4_address;
    const upstreams = [...read('deploy/nginx.cluster.conf').matchAll(/^ {2}server ([\d.]+):(\d+)/gm)];
    const web = nodes.filter(([, { environment }]) => environment!.REELKEEP_ROLE === 'web');
    expect(upstreams.map(([, address]) => address)).toEqual(web.map(([, service]) => addressOf(service)));
    const port = /REELKEEP_PORT=(\d+)/.exec(read('Dockerfile'))![1];
    expect(upstreams.map(([, , upstreamPort]) => upstreamPort)).toEqual([port, port]);
    const trusted = nodes.map(([, { environment }]) => environment!.REELKEEP_TRUSTED_PROXIES);
    expect(new Set(trusted)).toEqual(new Set([addressOf(services.proxy!)]));
  });
});

describe('deploy/compose.s3.yaml', () => {
  const remote = parseCompose('deploy/compose.s3.yaml');

  test('gives all servers of compose.cluster.yaml a bucket, and folders of their own', () => {
    expect(Object.keys(remote.services)).toEqual(nodes.map(([name]) => name));
    for (const [name, { environment }] of nodes) {
      const added = remote.services[name]!;
      const {
        REELKEEP_DATABASE_FILE: _,
        REELKEEP_KEY_FILE: _key,
        ...env
      } = { ...environment, ...added.environment } as Record<string, string>;
      const { REELKEEP_S3_ACCESS_KEY_FILE: access, REELKEEP_S3_SECRET_KEY_FILE: secret, ...others } = env;
      expect([access, secret]).toEqual(added.secrets!.map((one) => `/run/secrets/${one}`));
      const given = { REELKEEP_DATABASE: 'postgres://reelkeep:a@database/reelkeep', REELKEEP_KEY: '5a'.repeat(32) };
      const keys = { REELKEEP_S3_ACCESS_KEY: 'a', REELKEEP_S3_SECRET_KEY: 'b' };
      expect(readConfig({ ...others, ...given, ...keys })).toMatchObject({
        s3: { bucket: 'archive' },
        mediaFolder: '/data/media',
        cacheFolder: '/data/cache',
      });
    }
    for (const [name, { file }] of Object.entries(remote.secrets)) {
      expect(file).toBe(`./secrets/${name}`);
      expect(read('deploy/compose.s3.yaml')).toContain(` > secrets/${name}`);
    }
  });
});
