import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { LoginProblem } from '#contract/user.ts';

// The address carries only a code, so that a link cannot put arbitrary text on the login page.
const texts: Record<LoginProblem, MessageDescriptor> = {
  'provider-away': msg`Can’t reach the provider’s login page. Try again in a minute.`,
  expired: msg`The login took too long or was started in another browser. Try again.`,
  'not-recent': msg`The OpenID provider did not confirm a recent login. Try again. If it keeps happening, ask an administrator for a password.`,
  disabled: msg`This account is disabled. Ask an administrator.`,
  'other-person': msg`You logged in at the provider as a different user. Nothing was changed. Log in there with your own account.`,
  'linked-elsewhere': msg`Your provider account is linked to a different account here.`,
  'name-taken': msg`An account with your name already exists. Log in to it as before, then link the two in Settings.`,
  'bad-name': msg`Your provider username can’t be used here. It must have 1 to 150 visible characters. Change it at the provider.`,
  failed: msg`Login at the provider failed. Try again. The server log has details.`,
};

/** Returns the message of a problem code; null for unknown codes. */
export const loginProblem = (code: string | null): MessageDescriptor | null =>
  code !== null && Object.hasOwn(texts, code) ? texts[code as LoginProblem] : null;
