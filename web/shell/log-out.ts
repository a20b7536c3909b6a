import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { logOut } from '#web/user/queries.ts';

// The session is that of all tabs: who ends it in one leaves nothing to be seen in another.
const tabs = () => new BroadcastChannel(`reelkeep logged out ${document.baseURI}`);

/** Ends the session, and goes to where one logs in, or to where a proxy has to be told as well. */
export function useLogOut() {
  const navigate = useNavigate();
  const say = useToast();
  const leave = async () => {
    const elsewhere = await logOut();
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
      queryClient.clear();
      void navigate('/login/');
    });
    return () => others.close();
  }, [navigate]);
}
