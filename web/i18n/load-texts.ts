import { i18n } from '@lingui/core';

// The English texts are part of the code. Other languages come in parts, each at the same time as the code that shows it
// (scripts/split-catalogue.ts).

type LoadPart = () => Promise<{ messages: Record<string, string> }>;

const parts = new Map<string, LoadPart>();

async function load(part: LoadPart): Promise<void> {
  const { messages } = await part();
  i18n.load('de', messages);
}

/** Loads all parts that the code so far needs, before their language becomes active. */
export const loadTexts = () => Promise.all([...parts.values()].map(load));

/** Adds a part: loads it if its language is active. Without it, its texts are English. */
export async function addTexts(name: string, part: LoadPart): Promise<void> {
  if (parts.has(name)) return;
  parts.set(name, part);
  if (i18n.locale === 'de') await load(part).catch(() => parts.delete(name));
}

/**
 * Loads a module and its texts. The build wraps each dynamic import in this.
 * @public
 */
export async function withTexts<Module>(name: string, loadModule: () => Promise<Module>, part: LoadPart): Promise<Module> {
  const [module] = await Promise.all([loadModule(), addTexts(name, part)]);
  return module;
}
