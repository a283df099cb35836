/** The system's language (BCP 47): known only once the application is ready; English until then. */
export type SystemLocale = { current: () => string; whenKnown: () => Promise<void> };

/** `known` resolves to the system's language. */
export const createSystemLocale = (known: Promise<string>): SystemLocale => {
  let locale = 'en';
  return {
    current: () => locale,
    whenKnown: async () => {
      locale = await known;
    },
  };
};
