declare global {
  interface Window {
    readonly trustedTypes: {
      createPolicy(name: string, rules: { createHTML?: (text: string) => string }): unknown;
    };
  }
}

/** The page's policy lets no text become markup but the empty one, with which date fields empty their announcements. */
export const allowEmptyMarkup = (): void => {
  window.trustedTypes.createPolicy('default', {
    createHTML: text => {
      if (text !== '') throw new TypeError('No text becomes markup.');
      return text;
    },
  });
};
