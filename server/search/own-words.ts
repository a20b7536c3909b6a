import { createHash } from 'node:crypto';

// Words of our own in the indexes, beside those of people; theirs never begin with `=`.

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Begins the name of everything of a kind. */
export const kindWord = (kind: 'video' | 'channel' | 'playlist') => `=${kind}`;
export const channelWord = (channelId: string) => `=c${shortHash(channelId)}`;
export const langWord = (lang: string) => `=l${shortHash(lang.toLowerCase())}`;
export const sourceWord = (source: string) => `=s${shortHash(source)}`;
