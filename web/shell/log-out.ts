import { useNavigate } from 'react-router';
import { logOut } from '#web/user/queries.ts';

/** Ends the session, and goes to where one logs in, or to where a proxy has to be told as well. */
export function useLogOut() {
  const navigate = useNavigate();
  return () => void logOut().then((elsewhere) => (elsewhere ? location.assign(elsewhere) : navigate('/login/')));
}
