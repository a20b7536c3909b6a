import { createHash } from 'node:crypto';
import type { MomentDocumentTable } from '../../../platform/db/schema/tables.ts';

// Tokens for filters, indexed with the words of a text. Words never start with `=`.

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Token that every document of a kind has. */
export const kindToken = (kind: 'video' | 'channel' | 'playlist' | MomentDocumentTable['kind']) => `=${kind}`;
/** Token of private texts of a user. */
export const accountToken = (accountId: number) => `=a${accountId}`;
export const channelToken = (channelId: string) => `=c${shortHash(channelId)}`;
export const languageToken = (lang: string) => `=l${shortHash(lang.toLowerCase())}`;
export const sourceToken = (source: string) => `=s${shortHash(source)}`;
