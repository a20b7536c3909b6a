import type { TriedMethod } from '#contract/playback.ts';
import type { Video } from '#contract/video.ts';
import { asRecord, getStored, parseStored, setStored } from '#web/ui/use-local-storage.ts';
import { failuresKey, fileKey } from './can-play.ts';

const keptMs = 30 * 86_400_000;
const maxFiles = 100;
const methods = new Set<unknown>(['direct', 'repack', 'convert_sound', 'small', 'hls'] satisfies TriedMethod[]);

type Failures = Record<string, { at: number; methods: TriedMethod[] }>;

/** Parses stored failures; those that are older than 30 days are left out. */
export function parseFailures(found: unknown, now: number): Failures {
  const entries = Object.entries(asRecord(found)).flatMap(([key, value]) => {
    const { at, methods: failed } = asRecord(value);
    if (typeof at !== 'number' || Math.abs(now - at) > keptMs || !Array.isArray(failed)) return [];
    return [[key, { at, methods: failed.filter((one): one is TriedMethod => methods.has(one)) }] as const];
  });
  return Object.fromEntries(entries.slice(-maxFiles));
}

/** Adds methods of playback that failed to those of earlier, and returns all for this file. */
export function rememberFailures(video: Video, failed: readonly TriedMethod[], now = Date.now()): TriedMethod[] {
  const { [fileKey(video)]: before, ...others } = parseFailures(parseStored(getStored(failuresKey), asRecord), now);
  const all = [...new Set([...(before?.methods ?? []), ...failed])];
  const isNew = all.length > (before?.methods.length ?? 0);
  const own = all.length > 0 && { [fileKey(video)]: { at: isNew ? now : before!.at, methods: all } };
  setStored(failuresKey, JSON.stringify({ ...others, ...own }));
  return all;
}
