import { spawn } from 'node:child_process';
import type { Log } from '../platform/context/app-context.ts';

// Notifies systemd that the service is ready and, periodically, that it is alive (sd_notify(3)). Node has no local datagram
// sockets, so systemd-notify sends the messages.

type Environment = Record<string, string | undefined>;

const leastMs = 1_000;

function notify(word: string, log: Log) {
  const child = spawn('systemd-notify', [word], { stdio: 'ignore' });
  child.once('error', (error) => log.warn({ err: error }, 'cannot notify systemd'));
}

/**
 * Notifies systemd of readiness if a unit requested it, then sends keep-alive messages twice per watchdog timeout; a blocked main
 * thread sends none, so systemd restarts the server. `stop` reports that the server is stopping.
 */
export function notifySystemd(log: Log, env: Environment = process.env): { stop(): void } {
  if (!env.NOTIFY_SOCKET) return { stop: () => {} };
  notify('READY=1', log);
  const withinMs = Number(env.WATCHDOG_USEC) / 1000;
  const timer = withinMs > 0 ? setInterval(() => notify('WATCHDOG=1', log), Math.max(leastMs, withinMs / 2)).unref() : undefined;
  return {
    stop() {
      clearInterval(timer);
      notify('STOPPING=1', log);
    },
  };
}
