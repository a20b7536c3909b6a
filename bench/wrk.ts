import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** After each answer a connection waits so long, as people do: at random, as often shorter as an exponential distribution has it. */
const pausing = (meanMs: number) => `
math.randomseed(5)
delay = function() return math.floor(0.5 - ${meanMs} * math.log(1 - math.random())) end
`;

const script = (folder: string, cookie: string, pauseMs: number) => `${pauseMs > 0 ? pausing(pauseMs) : ''}
local paths = {}
for line in io.lines("${folder}/paths") do paths[#paths + 1] = line end
local n = 0
request = function()
  n = n % #paths + 1
  return wrk.format("GET", paths[n], { cookie = "${cookie}" })
end
done = function(summary, latency)
  io.write(string.format('{"asked":%d,"seconds":%f,"refused":%d,"p50":%f,"p95":%f}\\n', summary.requests,
    summary.duration / 1e6, summary.errors.status, latency:percentile(50) / 1000, latency:percentile(95) / 1000))
end
`;

/** What came of it; times in milliseconds. */
export interface Asked {
  asked: number;
  seconds: number;
  /** Answers of 400 and more. */
  refused: number;
  p50: number;
  p95: number;
}

/**
 * Asks for these paths over and over, as often as it is answered or with pauses (milliseconds, on average), by wrk (https://github.com/wg/wrk; Debian has it), which takes next to
 * nothing of the processor that the server needs. Null where it is not installed.
 */
export async function askByWrk(
  address: string,
  {
    cookie,
    paths,
    connections,
    seconds,
    pauseMs = 0,
  }: { cookie: string; paths: string[]; connections: number; seconds: number; pauseMs?: number },
): Promise<Asked | null> {
  if (spawnSync('wrk', ['-v']).error) return null;
  const folder = await mkdtemp(join(tmpdir(), 'reelkeep-wrk-'));
  try {
    await writeFile(join(folder, 'paths'), paths.map((path) => new URL(path, address).href.slice(address.length)).join('\n'));
    await writeFile(join(folder, 'mix.lua'), script(folder, cookie, pauseMs));
    const options = ['-t1', `-c${connections}`, `-d${seconds}`, '-s', join(folder, 'mix.lua'), address];
    const { stdout } = await promisify(execFile)('wrk', options);
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as Asked;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
