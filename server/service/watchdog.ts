import { spawn } from 'node:child_process';
import type { Log } from '../archive.ts';

// What systemd wants to hear of a service (sd_notify(3)): that it is ready, and then, again and again, that it is alive. Node knows no
// datagram sockets of the local kind, so systemd's own systemd-notify says it.

type Environment = Record<string, string | undefined>;

const leastMs = 1_000;

function tell(word: string, log: Log) {
  const child = spawn('systemd-notify', [word], { stdio: 'ignore' });
  child.once('error', (error) => log.warn({ err: error }, 'systemd could not be told how it goes'));
}

/**
 * Tells systemd that the program is ready, where it was started by a unit that wants to know, and keeps telling that it is alive, twice
 * within the time after which it would be started again: a main thread that stands still says nothing. `stop` says that it is ending.
 */
export function tellSystemd(log: Log, env: Environment = process.env): { stop(): void } {
  if (!env.NOTIFY_SOCKET) return { stop: () => {} };
  tell('READY=1', log);
  const withinMs = Number(env.WATCHDOG_USEC) / 1000;
  const timer = withinMs > 0 ? setInterval(() => tell('WATCHDOG=1', log), Math.max(leastMs, withinMs / 2)).unref() : undefined;
  return {
    stop() {
      clearInterval(timer);
      tell('STOPPING=1', log);
    },
  };
}
