import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Script for a random pause after each response, exponentially distributed like the pauses of users. */
const pauseScript = (meanMs: number) => `
math.randomseed(5)
delay = function() return math.floor(0.5 - ${meanMs} * math.log(1 - math.random())) end
`;

const script = (folder: string, cookie: string, pauseMs: number) => `${pauseMs > 0 ? pauseScript(pauseMs) : ''}
local paths = {}
for line in io.lines("${folder}/paths") do paths[#paths + 1] = line end
local n = 0
request = function()
  n = n % #paths + 1
  return wrk.format("GET", paths[n], { cookie = "${cookie}" })
end
done = function(summary, latency)
  io.write(string.format('{"requests":%d,"seconds":%f,"refused":%d,"p50":%f,"p95":%f}\\n', summary.requests,
    summary.duration / 1e6, summary.errors.status, latency:percentile(50) / 1000, latency:percentile(95) / 1000))
end
`;

/** Result; times in milliseconds. */
export interface WrkResult {
  requests: number;
  seconds: number;
  /** Responses with a status of 400 and above. */
  refused: number;
  p50: number;
  p95: number;
}

/**
 * Requests these paths repeatedly with wrk (https://github.com/wg/wrk; Debian package), back to back or with pauses (average in
 * milliseconds). wrk uses almost none of the CPU time that the server needs. Returns null if it is not installed.
 */
export async function runWrk(
  address: string,
  {
    cookie,
    paths,
    connections,
    seconds,
    pauseMs = 0,
  }: { cookie: string; paths: string[]; connections: number; seconds: number; pauseMs?: number },
): Promise<WrkResult | null> {
  if (spawnSync('wrk', ['-v']).error) return null;
  const folder = await mkdtemp(join(tmpdir(), 'reelkeep-wrk-'));
  try {
    await writeFile(join(folder, 'paths'), paths.map((path) => new URL(path, address).href.slice(address.length)).join('\n'));
    await writeFile(join(folder, 'mix.lua'), script(folder, cookie, pauseMs));
    const options = ['-t1', `-c${connections}`, `-d${seconds}`, '-s', join(folder, 'mix.lua'), address];
    const { stdout } = await promisify(execFile)('wrk', options);
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as WrkResult;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
