import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { expect, test } from 'vitest';
import { messages } from '#contract/messages.ts';
import { listSettings } from './list-settings.ts';
import { findMovedAnchor, findPage, settingsGroups } from './settings-pages.ts';

// Texts that name a page of the settings, and links to them.

const [catalogue] = await getCatalogs(getConfig());
const german = (await catalogue!.read('de')) ?? {};
const english = Object.entries((await catalogue!.collect()) ?? {}).map(([id, { message }]) => message ?? id);
const titles = settingsGroups.flatMap((group) => [group.name, ...group.pages.map((page) => page.name)]);
const titleOf = (locale: 'en' | 'de', { id, message = '' }: (typeof titles)[number]) =>
  locale === 'de' ? (german[id]?.translation ?? message) : message;

test.each([
  ['en', 'Settings', [...english, ...Object.values(messages)]],
  ['de', 'Einstellungen', Object.values(german).map(({ translation = '' }) => translation)],
] as const)('texts (%s) name pages that exist', (locale, settings, texts) => {
  const names = new Set(titles.map((title) => titleOf(locale, title)));
  const references = texts.flatMap((text) =>
    [...text.matchAll(new RegExp(`${settings} → (.{0,60})`, 'g'))].map(([, rest]) => rest!),
  );
  expect(references.length).toBeGreaterThan(20);
  expect(references.filter((rest) => ![...names].some((name) => rest.startsWith(name)))).toEqual([]);
});

test('links of the web app lead to pages and fields that exist', () => {
  const files = import.meta.glob<string>(['../../**/*.{ts,tsx}', '!../../**/*.test.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const links = Object.values(files).flatMap((code) =>
    [...code.matchAll(/['"`]\/settings\/([-\w/]*?)\/?(?:#([-\w.]+))?['"`]/g)].map(([link, path = '', anchor]) => ({
      link,
      path,
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(30);
  const viewer = { isStaff: true, hasNodes: true };
  const anchors = new Set(listSettings(viewer).map(({ to }) => to));
  const leadsNowhere = ({ path, anchor }: (typeof links)[number]) => {
    if (path === '') return anchor !== undefined && anchor !== 'dashboard';
    const page = findPage(path);
    if (!page) return true;
    const hasSection = anchor === undefined || page.page.sections.some(({ id }) => id === anchor);
    return !hasSection && !anchors.has(`/settings/${path}/#${anchor}`) && findMovedAnchor(path, anchor) === undefined;
  };
  expect(links.filter(leadsNowhere).map(({ link }) => link)).toEqual([]);
});
