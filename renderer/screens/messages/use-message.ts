import type { Language } from '../../../shared/messages/message.ts';
import type { FormatMessage } from '../../../shared/messages/format-message.ts';
import {
  composeMessage,
  messageValues,
  type MessageSubject,
} from '../../../shared/merchant-texts/compose-message.ts';
import { merchantNameOf, timeZoneOf } from '../../../shared/settings/merchant.ts';
import type { MessageSlot, MessageTemplates } from '../../../shared/merchant-texts/message-templates.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { useTextIn } from '../../i18n/text-in.ts';
import { useAppState } from '../../stores/app-state-store.ts';

const none: MessageTemplates = { en: {}, de: {} };

/** Formats texts in a language; null until its catalogue is loaded. */
export const useFormatIn = (language: Language): FormatMessage | null => {
  const t = useTextIn(language);
  return t && (({ key, values }) => (t as (key: string, values?: object) => string)(key, values));
};

/** What a message to the customer says, as main writes it; null until the language is loaded. */
export const useComposedMessage = (
  language: Language,
  subject: Omit<MessageSubject, 'merchant' | 'timeZone'>,
  profile: Profile | null,
): ((slot: MessageSlot) => string) | null => {
  const format = useFormatIn(language);
  const templates = useAppState(({ appState }) => appState?.settings.messages ?? none);
  if (format === null) return null;
  const values = messageValues(
    {
      ...subject,
      merchant: { name: profile ? merchantNameOf(profile) : '', phone: profile?.merchant.phone ?? '' },
      timeZone: timeZoneOf(profile),
    },
    format,
  );
  return slot => composeMessage(slot, language, templates, values, format);
};
