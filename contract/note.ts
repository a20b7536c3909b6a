import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { decimal, Id, integer, text } from './field-types.ts';
import { PageQuery, pageOf } from './page.ts';
import { TagName } from './tag.ts';

// Notes, bookmarks and highlights: private texts about moments of videos. Not in TubeArchivist.

export const maxNote = 10_000;

const NoteKind = z.enum(['note', 'bookmark', 'highlight']);
export type NoteKind = z.infer<typeof NoteKind>;

export const Note = z.object({
  id: z.int(),
  kind: NoteKind,
  /** Id of the video, which may have been deleted since. */
  video: z.string(),
  /** Seconds; null: about the whole video. */
  start: z.number().nullable(),
  /** Seconds; null: a moment. */
  end: z.number().nullable(),
  /** Markdown. Empty for bookmarks and highlights without a text. */
  text: z.string(),
  /** Lines of the transcript, of a highlight, and their language. */
  quote: z.string().nullable(),
  quote_lang: z.string().nullable(),
  /** Private tags of the writer. */
  tags: z.array(z.string()),
  /** Epoch seconds. */
  created: z.int(),
  updated: z.int(),
  /** Increased by each change. */
  revision: z.int(),
  video_title: z.string(),
  channel_name: z.string(),
  /** Address of the video at its site. */
  url: z.string().nullable(),
  /** The video is in the archive. */
  is_archived: z.boolean(),
});
export type Note = z.infer<typeof Note>;

const second = decimal({ min: 0, max: 1e9 }).nullable();
const noteText = z
  .string()
  .max(maxNote, 'A note can have 10,000 characters.')
  .regex(/^[^\0]*$/, 'Not a valid string.');

const noteTags = z.array(TagName).max(50);

const isOrdered = ({ start, end }: { start?: number | null | undefined; end?: number | null | undefined }) =>
  end === undefined || end === null || (start !== undefined && start !== null && start <= end);
const unordered = { path: ['end'], message: 'The end is before the start.' };

const NewNote = z
  .object({
    video: Id,
    kind: NoteKind.default('note'),
    start: second.default(null),
    end: second.default(null),
    text: noteText.default(''),
    quote: noteText.nullable().default(null),
    quote_lang: text(35).nullable().default(null),
    tags: noteTags.default([]),
  })
  .refine(isOrdered, unordered);
export type NewNote = z.output<typeof NewNote>;

const NoteChange = z
  .object({
    /** The revision that was changed; another one now: 409. */
    revision: z.int(),
    text: noteText.optional(),
    start: second.optional(),
    end: second.optional(),
    /** All tags that it has then. */
    tags: noteTags.optional(),
  })
  .refine((change) => change.start === undefined || isOrdered(change), unordered);
export type NoteChange = z.output<typeof NoteChange>;

const NoteId = z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) });

export const noteCalls = {
  'GET /api/note/': {
    may: 'user',
    scope: 'notes',
    does: "List the caller's notes: those of a video by time, otherwise newest first (Reelkeep)",
    query: z.object({
      ...PageQuery,
      video: Id.optional(),
      kind: NoteKind.optional(),
      tag: TagName.optional(),
      /** Words of the note, the quote, the title or the channel. */
      query: z.string().max(500).optional(),
    }),
    reply: pageOf(Note),
  },
  'POST /api/note/': {
    may: 'user',
    scope: 'notes',
    does: 'Add a note, bookmark or highlight to a video (Reelkeep)',
    body: NewNote,
    reply: Note,
  },
  'PATCH /api/note/:id/': {
    may: 'user',
    scope: 'notes',
    does: 'Change a note of the caller (Reelkeep)',
    conflict: 'the note was changed elsewhere; the reply has its text as `note`',
    params: NoteId,
    body: NoteChange,
    reply: Note,
  },
  'DELETE /api/note/:id/': { may: 'user', scope: 'notes', does: 'Delete a note of the caller (Reelkeep)', params: NoteId },
  'GET /api/note/export/': {
    may: 'user',
    scope: 'notes',
    does: "Download the caller's notes: a ZIP with a Markdown file for each video, or JSON (Reelkeep)",
    query: z.object({
      format: z.enum(['markdown', 'json']).default('markdown'),
      /** Only those changed at or after this time, epoch seconds. */
      since: integer({ min: 0, max: 1e11 }).default(0),
    }),
    bytes: 'out',
  },
} satisfies Contract;
