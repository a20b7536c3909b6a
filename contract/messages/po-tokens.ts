export const poTokenMessages = {
  'pot.off': 'PO tokens are turned off. Choose another value for “PO tokens” in Settings → Cookie.',
  'pot.no-provider': 'No PO token provider is set. Enter its address in Settings → Cookie, or set “PO tokens” to automatic.',
  'pot.plugin':
    'Could not install the yt-dlp plugin for PO tokens: {reason} Check that this server reaches pypi.org, or set PIP_INDEX_URL, and test again.',
  'pot.no-challenge':
    'YouTube sent no usable challenge ({reason}). Try again later, or use your own PO token provider (Settings → Cookie).',
  'pot.program-failed':
    'The challenge program of YouTube failed ({reason}). Update Reelkeep, or use your own PO token provider (Settings → Cookie).',
  'pot.program-time':
    'The challenge program of YouTube did not end in time and was stopped. Try again later, or use your own PO token provider (Settings → Cookie).',
  'pot.program-memory':
    'The challenge program of YouTube needed too much memory and was stopped. Try again later, or use your own PO token provider (Settings → Cookie).',
  'pot.program-ended': 'The process that creates PO tokens was ended. Try again.',
  'pot.unreachable': 'Could not reach the PO token provider ({reason}). Check its address and that it is running.',
  'pot.slow':
    'The PO token provider did not respond within {seconds, number} seconds. Check that it is running and reaches YouTube.',
  'pot.not-a-provider':
    'The response of the PO token provider is invalid. Check that its address is that of bgutil-ytdlp-pot-provider 2.',
  'pot.other-version': 'The PO token provider has version {version}. Install version {needed}.',
  'pot.invalid-request': 'yt-dlp sent an invalid request for a PO token. Update yt-dlp.',
  'pot.provider-failed': 'The PO token provider could not create a token. Its log has the reason.',
} as const;
