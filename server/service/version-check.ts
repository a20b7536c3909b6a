import { z } from 'zod';
import type { Ping } from '#contract/service.ts';
import type { Archive } from '../archive.ts';
import { defineTask } from '../task/task.ts';
import { version } from '../version.ts';

const name = 'service.release';

const Release = z.object({ version: z.string().regex(/^v?\d+(\.\d+){0,3}$/), breaking: z.boolean().default(false) });

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

/** The newer release that is known of, as ping tells it; null when there is none. */
export async function updateNotice({ db }: Pick<Archive, 'db'>): Promise<z.infer<typeof Ping>['ta_update']> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
  const known = row && Release.safeParse(JSON.parse(row.value)).data;
  if (!known || !isLater(known.version, version)) return null; // brought up to date meanwhile
  return { status: true, version: known.version, is_breaking: known.breaking };
}

/** Asks the source of releases once a day, and says nothing of itself but that it asks. Off without a source. */
export const versionCheck = defineTask<object>({
  name: 'version_check',
  title: 'Look for new Version',
  group: '',
  isStartable: false,
  isStoppable: false,
  schedule: { auto: '0 11 *', isOnFromTheStart: true },
  input: z.object({}),

  async run({ signal }, { config, tools, db, announce }) {
    if (!config.releasesUrl) return;
    const answer = await tools.gate.fetch(`${config.releasesUrl}/latest`, { signal, maxBytes: 100_000, timeMs: 20_000 });
    if (!answer.ok) throw new Error(`${config.releasesUrl} answered ${answer.status}; it is asked again tomorrow.`);
    const value = JSON.stringify(Release.parse(await answer.json()));
    await db
      .insertInto('setting')
      .values({ name, value })
      .onConflict((c) => c.column('name').doUpdateSet({ value }))
      .execute();
    announce('settings');
  },
});
