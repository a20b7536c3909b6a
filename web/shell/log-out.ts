import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { queryClient } from '#web/api/client.ts';
import { clearQueue } from '#web/player/queue.ts';
import { keep } from '#web/ui/kept.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { logOut } from '#web/user/queries.ts';

// The session is that of all tabs: who ends it in one leaves nothing to be seen in another.
const tabs = () => new BroadcastChannel(`reelkeep logged out ${document.baseURI}`);

// What this browser keeps that tells of a person: what they looked for, what they play next, where they went, what they were typing.
export const ofPerson = { browser: ['reelkeep.searches', 'reelkeep.queue', 'reelkeep.commands'], tab: ['reelkeep.add-box'] };

/** Leaves nothing of whoever was logged in to the next one at this browser; how it looks and sounds here stays. */
export function forgetPerson() {
  clearQueue();
  for (const key of ofPerson.browser) keep(key, null);
  for (const key of ofPerson.tab) keep(key, null, 'tab');
  queryClient.clear();
}

/** Ends the session, and goes to where one logs in, or to where a proxy has to be told as well. */
export function useLogOut() {
  const navigate = useNavigate();
  const say = useToast();
  const leave = async () => {
    const elsewhere = await logOut();
    forgetPerson();
    const others = tabs();
    others.postMessage('');
    others.close();
    if (elsewhere) location.assign(elsewhere);
    else await navigate('/login/');
  };
  return () => void leave().catch((error: Error) => say(error.message, { isDanger: true }));
}

/** Goes to where one logs in when the session was ended in another tab. */
export function useLoggedOutElsewhere() {
  const navigate = useNavigate();
  useEffect(() => {
    const others = tabs();
    others.addEventListener('message', () => {
      forgetPerson();
      void navigate('/login/');
    });
    return () => others.close();
  }, [navigate]);
}
