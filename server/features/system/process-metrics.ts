import { readdir } from 'node:fs/promises';
import { Counter, Gauge, type Registry } from 'prom-client';

// Standard metric names: https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics. The default metrics of
// prom-client observe the event loop and the garbage collector all the time; these values are read on request.

const openFiles = () =>
  readdir('/proc/self/fd').then(
    (names) => names.length - 1, // without the descriptor of the listing itself
    () => null, // not Linux
  );

/** Creates the process metrics and returns a function that updates them. */
export function createProcessMetrics(registry: Registry): () => Promise<void> {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const processor = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of this process and its threads, without yt-dlp and ffmpeg',
    registers,
  });
  const started = gauge('process_start_time_seconds', 'When it was started, in seconds since 1970');
  const resident = gauge('process_resident_memory_bytes', 'Memory that it has');
  const files = gauge('process_open_fds', 'Files and connections that are open');
  const heap = gauge('nodejs_heap_size_used_bytes', 'Heap of the main thread that is in use');
  const outside = gauge('nodejs_external_memory_bytes', 'What the main thread holds outside of its heap');
  started.set(Math.floor(Date.now() / 1000 - process.uptime()));
  return async () => {
    const { user, system } = process.cpuUsage();
    processor.reset();
    processor.inc((user + system) / 1e6);
    const { rss, heapUsed, external } = process.memoryUsage();
    resident.set(rss);
    heap.set(heapUsed);
    outside.set(external);
    const open = await openFiles();
    if (open === null) files.remove();
    else files.set(open);
  };
}
