import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from './acquiring.ts';
import { addressOf, aFolder, startProgram } from './program.ts';

// What the unit of systemd is told. systemd-notify waits until whoever listens has let go of what it sent.
const listening = `
import array, os, socket, sys
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1])
print('listening', flush=True)
while True:
    words, files, _, _ = socket.recv_fds(listener, 4096, 8)
    for one in files: os.close(one)
    print(words.decode().strip(), flush=True)
`;
const hasNotify = spawnSync('systemd-notify', ['--version']).status === 0;

test.runIf(hasNotify)(
  'a service says when it is ready, that it is alive, and that it ends; one that stands still says nothing',
  async () => {
    const folder = await aFolder();
    const socket = join(folder.path, 'notify');
    const listener = spawn('python3', ['-c', listening, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
    let heard = '';
    listener.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text));
    const count = (word: string) => heard.split('\n').filter((line) => line === word).length;
    try {
      await eventually(async () => heard.includes('listening'));
      const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '2000000' };
      const program = await startProgram({ data: join(folder.path, 'data'), env });
      await addressOf(program);
      await eventually(async () => count('READY=1') === 1 && count('WATCHDOG=1') >= 2);
      program.child.kill('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 500)); // one may be on its way
      const before = count('WATCHDOG=1');
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      expect(count('WATCHDOG=1')).toBe(before);
      program.child.kill('SIGCONT');
      await eventually(async () => count('WATCHDOG=1') > before);
      expect(count('STOPPING=1')).toBe(0);
      program.child.kill('SIGTERM');
      expect(await program.ended).toBe(0);
      await eventually(async () => count('STOPPING=1') === 1);
    } finally {
      listener.kill();
      await folder.remove();
    }
  },
);
