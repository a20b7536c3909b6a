import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api/client.ts';
import { preferredLanguage, activateLanguage } from './i18n/language.ts';
import { addTexts } from './i18n/load-texts.ts';
import { router } from './routes.tsx';
import { reloadAfterUpdate } from './shell/reload-after-update.ts';
import { registerServiceWorker } from './shell/register-service-worker.ts';
import { showStoredTheme } from './theme/theme.ts';
import './theme/font.css';
import './theme/tokens.css';
import './theme/base.css';

showStoredTheme();
void addTexts('app', () => import('virtual:texts/web/main.tsx'));
// English is part of the code; it is the fallback when the texts of another language fail to load.
await activateLanguage(preferredLanguage()).catch(() => activateLanguage('en'));

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);

// A third of all texts, which few pages show at once.
void addTexts('server', () => import('virtual:texts/contract/messages.ts'));
reloadAfterUpdate(router);
// Not needed for the first paint; a click before it starts playback a moment later.
void import('./prefetch.ts').then(({ startPrefetching }) => startPrefetching()).catch(() => undefined);
registerServiceWorker();
