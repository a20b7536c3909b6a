import { ApplicationSettings } from './ApplicationSettings.tsx';
import { LoginCookie } from './LoginCookie.tsx';

/** What staff choose for the whole archive. */
export const Application = () => (
  <>
    <ApplicationSettings />
    <LoginCookie />
  </>
);
