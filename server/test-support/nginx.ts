import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Path of nginx; undefined if it is not installed. */
export const nginxPath = [process.env.REELKEEP_TEST_NGINX || '/usr/sbin/nginx', 'nginx'].find(
  (path) => spawnSync(path, ['-v']).status === 0,
);
if (!nginxPath) process.stdout.write('nginx is not installed: the tests behind a real proxy are skipped\n');

export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Starts nginx with the content of its `http` block. Its temporary files are in the folder. */
export async function startNginx(folder: string, http: string) {
  const path = join(folder, 'nginx.conf');
  await writeFile(
    path,
    `daemon off; pid ${folder}/pid; error_log stderr; worker_processes 1; ${process.getuid?.() === 0 ? 'user root;' : ''}
     events {}
     http { access_log off; client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c; uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
       ${http}
     }`,
  );
  const child = spawn(nginxPath!, ['-p', folder, '-c', path], { stdio: ['ignore', 'ignore', 'pipe'] });
  const output = { text: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.text += text));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    output,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
