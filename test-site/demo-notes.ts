import { stars, wood } from './demo-channels.ts';

/** The body of a request that writes a note (docs/api.md). */
interface DemoNote {
  video: string;
  kind?: 'bookmark' | 'highlight';
  start?: number;
  end?: number;
  text?: string;
  quote?: string;
  quote_lang?: string;
  tags?: string[];
}

/** Notes of the demo's user, in the order in which they are written. */
export const demoNotes: DemoNote[] = [
  {
    video: 'coastNight1',
    kind: 'highlight',
    start: 24,
    end: 30,
    quote: 'After the long tunnel the moon is suddenly there.',
    quote_lang: 'en',
    tags: ['best moments'],
  },
  { video: 'coastNight1', kind: 'bookmark', start: 36, end: 48 },
  {
    video: 'coastNight1',
    start: 12,
    text: '**Which carriage?** The third one, upper bunk. See the change of locomotives at 0:36.',
    tags: ['for our trip'],
  },
  {
    video: 'moonTonight',
    start: 0,
    text: 'Before the next clear night:\n\n- binoculars\n- a [map of the Moon](https://maps.example/moon)\n- something warm',
  },
  { video: 'crumbSecret', start: 16, text: 'Fold four times, not six.', tags: ['to try'] },
];

/** Private tags of the demo's user, with what has them. Channels with the same tag are a group. */
export const demoTags: Record<string, { video?: string[]; channel?: string[] }> = {
  'for our trip': { video: ['coastNight1'] },
  'quiet evenings': { channel: [stars.id, wood.id] },
};
