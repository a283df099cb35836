import type { Page } from 'playwright-core';

/** A card number in the fields of a screen. */

export const cardDigits = '4111111111111111';
const spellings = ['4111 1111 1111 1111', 'card 4111-1111-1111-1111 please', cardDigits];

/** The fields of a part of the window that keep a card number which is inserted; each has its earlier text again then. */
export const cardNumbersKept = (page: Page, within: string): Promise<string[]> =>
  page.evaluate(
    async ({ within, digits, spellings }) => {
      const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
        `${within} :is(textarea, input:not([type=password], [type=checkbox], [type=radio], [type=file]))`,
      );
      const kept: string[] = [];
      for (const field of fields) {
        // A pasted callback is masked before it is stored.
        if (!field.checkVisibility({ visibilityProperty: true }) || field.matches('textarea.code')) continue;
        if (field.disabled || field.readOnly || field.closest('[inert]')) continue;
        const insert = async (text: string): Promise<void> => {
          field.focus();
          field.select();
          document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
          await new Promise(requestAnimationFrame);
        };
        const before = field.value;
        for (const text of spellings) {
          await insert(text);
          if (field.value.replaceAll(/\D/g, '').includes(digits)) kept.push(`${field.name} ${field.id}`);
        }
        await insert(before);
      }
      return kept;
    },
    { within, digits: cardDigits, spellings },
  );
