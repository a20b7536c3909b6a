import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './acquisition.ts';

/** Starts a sound server with a null output device, for programs that need one; `address` is for PULSE_SERVER. */
export async function startSilentSound(folder: string): Promise<{ address: string; close(): Promise<void> }> {
  const socket = join(folder, 'sound');
  const modules = ['module-null-sink', `module-native-protocol-unix socket=${socket} auth-anonymous=1`];
  const child = spawn(
    'pulseaudio',
    ['-n', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1', ...modules.flatMap((name) => ['-L', name])],
    { env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder }, stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  await eventually(async () => existsSync(socket), 'a sound server');
  return {
    address: `unix:${socket}`,
    async close() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
