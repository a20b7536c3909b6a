import type { Settings } from '#contract/settings.ts';
import type { Archive } from '../archive.ts';
import { writeSettings } from './store.ts';

/** Changes some settings on behalf of another room. */
export async function changeSettings({ db, announce }: Archive, some: { [S in keyof Settings]?: Partial<Settings[S]> }) {
  await writeSettings(db, some);
  announce('settings');
}
