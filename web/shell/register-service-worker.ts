import { addressOf } from '#web/api/call.ts';

/**
 * Registers the service worker, which caches the app's files and shows an offline page. Browsers allow it over HTTPS only.
 */
export function registerServiceWorker() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const address = addressOf('/sw.js');
  // Trusted Types: the only script URL that is not in the page itself.
  const types = (
    window as { trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } } }
  ).trustedTypes;
  const policy = types?.createPolicy('reelkeep-worker', { createScriptURL: () => address });
  navigator.serviceWorker.register(policy?.createScriptURL(address) ?? address).catch(() => {}); // optional
}
