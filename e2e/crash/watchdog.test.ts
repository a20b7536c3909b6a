import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/acquisition.ts';
import { addressOf, createTempFolder, startProgram } from '../support/program.ts';

// Records notifications to systemd. Closes the descriptors it receives, because systemd-notify waits for that.
const listenerScript = `
import array, os, socket, sys
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1])
print('listening', flush=True)
while True:
    data, files, _, _ = socket.recv_fds(listener, 4096, 8)
    for file in files: os.close(file)
    print(data.decode().strip(), flush=True)
`;
const hasNotify = spawnSync('systemd-notify', ['--version']).status === 0;

test.runIf(hasNotify)('sends READY, WATCHDOG and STOPPING, and nothing while its event loop is blocked', async () => {
  const folder = await createTempFolder();
  const socket = join(folder.path, 'notify');
  const listener = spawn('python3', ['-c', listenerScript, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  let received = '';
  listener.stdout.setEncoding('utf8').on('data', (text: string) => (received += text));
  const count = (word: string) => received.split('\n').filter((line) => line === word).length;
  try {
    await eventually(async () => received.includes('listening'));
    const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '2000000' };
    const program = await startProgram({ data: join(folder.path, 'data'), env });
    await addressOf(program);
    await eventually(async () => count('READY=1') === 1 && count('WATCHDOG=1') >= 2);
    program.child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 500)); // a notification may be in transit
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
});
