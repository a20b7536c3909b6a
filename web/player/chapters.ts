import type { Chapter } from '#contract/video.ts';

const clock = (seconds: number) => {
  const ms = Math.round(seconds * 1000);
  const part = (value: number, digits = 2) => String(value).padStart(digits, '0');
  return `${part(Math.floor(ms / 3_600_000))}:${part(Math.floor(ms / 60_000) % 60)}:${part(Math.floor(ms / 1000) % 60)}.${part(ms % 1000, 3)}`;
};

const escaped = (text: string) =>
  text.replace(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Chapters as the track that players read them from. */
export const chaptersVtt = (chapters: Chapter[]) =>
  `WEBVTT\n\n${chapters.map(({ title, start, end }) => `${clock(start)} --> ${clock(end)}\n${escaped(title)}\n`).join('\n')}`;
