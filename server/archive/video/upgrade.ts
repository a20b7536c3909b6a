import type { DynamicRange } from '#contract/playback.ts';
import { heightClass, type Quality } from './quality.ts';

// Better versions of archived videos, and attempts to replace files by them. Stored as JSON with the video; parsed without zod, which the
// threads that read the database do not load.

/** A better version that the source offers. */
export interface Upgrade {
  /** Class of height, as sites name it. */
  height: number;
  /** Frames per second; null if unknown. */
  fps: number | null;
  /** Name in ffprobe. */
  codec: string;
  dynamicRange: DynamicRange | null;
  /** About this size; null if unknown. */
  sizeBytes: number | null;
}

const ranges: unknown[] = ['sdr', 'pq', 'hlg', null] satisfies (DynamicRange | null)[];
const isNumberOrNull = (value: unknown) => value === null || (typeof value === 'number' && Number.isFinite(value));

function isUpgrade(value: unknown): value is Upgrade {
  const { height, fps, codec, dynamicRange, sizeBytes } = (value ?? {}) as Record<keyof Upgrade, unknown>;
  const isKnown = typeof codec === 'string' && ranges.includes(dynamicRange);
  return Number.isInteger(height) && isNumberOrNull(fps) && isKnown && isNumberOrNull(sizeBytes);
}

function parse<T>(json: string | null, isValid: (value: unknown) => value is T): T | null {
  if (json === null) return null;
  try {
    const value: unknown = JSON.parse(json);
    return isValid(value) ? value : null;
  } catch {
    return null;
  }
}

/** Parses the stored JSON; null if it is none, as from an edited backup. */
export const parseUpgrade = (json: string | null): Upgrade | null => parse(json, isUpgrade);

export const upgradeOf = (quality: Quality, sizeBytes: number | null): Upgrade => ({
  height: heightClass(quality),
  fps: quality.fps === null ? null : Math.round(quality.fps),
  codec: quality.codec,
  dynamicRange: quality.dynamicRange,
  sizeBytes,
});

/** Automatic downloads of better versions of a video, and the declined version. */
export interface UpgradeLog {
  /** Times of automatic downloads, epoch seconds. */
  attempts: number[];
  /** The version that a person has declined; null if none. */
  declined: string | null;
}

function isLog(value: unknown): value is UpgradeLog {
  const { attempts, declined } = (value ?? {}) as Record<keyof UpgradeLog, unknown>;
  return Array.isArray(attempts) && attempts.every(Number.isInteger) && (declined === null || typeof declined === 'string');
}

/** Parses the stored JSON; empty if it is none. */
export const parseUpgradeLog = (json: string | null): UpgradeLog => parse(json, isLog) ?? { attempts: [], declined: null };

/** Tells a version from others, to remember that it was declined. */
export const keyOfUpgrade = ({ height, fps, codec, dynamicRange }: Upgrade) => [height, fps, codec, dynamicRange].join('/');

/** Most automatic downloads of a video, and the time between them. */
const maxAttempts = 3;
const betweenSeconds = 30 * 86_400;

/** Whether a video may be replaced automatically now. */
export const mayUpgrade = ({ attempts }: UpgradeLog, now: number) =>
  attempts.length < maxAttempts && attempts.every((at) => now - at >= betweenSeconds);

/** The log of a video of which a person prefers the present file: it is not replaced automatically again. */
export const withoutAttempts = (log: UpgradeLog): UpgradeLog => ({ ...log, attempts: Array<number>(maxAttempts).fill(0) });
