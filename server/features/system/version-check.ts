import { messages } from '#contract/messages.ts';
import { z } from 'zod';
import { CommunitySite, type Ping } from '#contract/system.ts';
import { readStored, writeStored } from '../../archive/settings/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { defineTask } from '../../platform/context/task.ts';
import { version } from '../../platform/config/version.ts';

const name = 'service.release';

/** Answer of the source of releases at `/latest`. */
const Release = z.object({
  version: z.string().regex(/^v?\d+(\.\d+){0,3}$/),
  breaking: z.boolean().default(false),
  notes_url: z.url({ protocol: /^https?$/ }).optional(),
  community: z.array(CommunitySite).max(5).default([]),
});

const numbersOf = (text: string) => text.replace(/^v/, '').split('.').map(Number);

/** Whether `a` is a later version than `b`: v1.10.0 is later than 1.9.3. */
export function isLater(a: string, b: string): boolean {
  const [ours, theirs] = [numbersOf(a), numbersOf(b)];
  for (let place = 0; place < Math.max(ours.length, theirs.length); place++) {
    const difference = (ours[place] ?? 0) - (theirs[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Returns the newer release and the community sites as ping reports them. */
export async function readRelease({
  db,
}: Pick<AppContext, 'db'>): Promise<Pick<z.infer<typeof Ping>, 'ta_update' | 'community'>> {
  const known = Release.safeParse(await readStored(db, name)).data;
  if (!known) return { ta_update: null, community: [] };
  const { breaking: is_breaking, notes_url, community } = known;
  const isNewer = isLater(known.version, version); // false if updated since the check
  const update = { status: true, version: known.version, is_breaking, ...(notes_url && { notes_url }) };
  return { ta_update: isNewer ? update : null, community };
}

/**
 * Checks for a newer release once a day, without sending any data about the installation. Disabled if no release source is set.
 */
export const versionCheck = defineTask<object>({
  name: 'version_check',
  title: messages['task.version_check'],
  group: '',
  isStartable: false,
  isStoppable: false,
  schedule: { auto: '0 11 *', isOnFromTheStart: true },
  input: z.object({}),

  async run({ signal }, { config, tools, db, announce }) {
    if (!config.releasesUrl) return;
    const answer = await tools.proxy.fetch(`${config.releasesUrl}/latest`, { signal, maxBytes: 100_000, timeMs: 20_000 });
    if (!answer.ok) throw new Error(`${config.releasesUrl} answered ${answer.status}; it is asked again tomorrow.`);
    await writeStored(db, name, Release.parse(await answer.json()));
    announce('settings');
  },
});
