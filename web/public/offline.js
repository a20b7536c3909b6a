// The chosen theme, and a reload when the server responds again.
let theme = null;
try {
  theme = localStorage.getItem('reelkeep.theme');
} catch {
  // storage is forbidden
}
if (theme && theme !== 'system') document.documentElement.dataset.theme = theme === 'light' ? 'light' : 'dark';

const health = new URL('api/health/', document.currentScript.src).href;
const intervalMs = 2000;

async function reloadWhenBack() {
  const response = await fetch(health, { cache: 'no-store' }).catch(() => null);
  if (response?.ok) location.reload();
  else setTimeout(() => void reloadWhenBack(), intervalMs);
}
setTimeout(() => void reloadWhenBack(), intervalMs);
