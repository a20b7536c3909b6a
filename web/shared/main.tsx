import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { preferredLanguage, activateLanguage } from '#web/i18n/language.ts';
import { addTexts } from '#web/i18n/load-texts.ts';
import { SharedPage } from './SharedPage.tsx';
import '#web/theme/font.css';
import '#web/theme/tokens.css';
import '#web/theme/base.css';

// The page of a share link, for people without an account. Its own entry, because the app is several times as large.

void addTexts('shared', () => import('virtual:texts/web/shared/main.tsx'));
await activateLanguage(preferredLanguage()).catch(() => activateLanguage('en'));

const secret = location.pathname.split('/').filter(Boolean).at(-1) ?? '';

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <SharedPage secret={secret} />
    </I18nProvider>
  </StrictMode>,
);

// Texts of what this page loads later, and of messages of the server.
void addTexts('app', () => import('virtual:texts/web/main.tsx'));
void addTexts('server', () => import('virtual:texts/contract/messages.ts'));
