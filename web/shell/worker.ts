import { addressOf } from '#web/api/call.ts';

/** Lets the browser keep the app's own files, and say something when the server is away. Only where browsers allow it: https. */
export function startWorker() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const address = addressOf('/sw.js');
  // Addresses of scripts must be vouched for; this is the only one that is not in the page itself.
  const types = (
    window as { trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } } }
  ).trustedTypes;
  const policy = types?.createPolicy('reelkeep-worker', { createScriptURL: () => address });
  navigator.serviceWorker.register(policy?.createScriptURL(address) ?? address).catch(() => {}); // it is a comfort, no more
}
