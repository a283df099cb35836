/** The system's language (BCP 47): known only once `known` resolves to it; English until then. */
export const createSystemLocale = (known: Promise<string>) => {
  let locale = 'en';
  return {
    current: (): string => locale,
    whenKnown: async (): Promise<void> => {
      locale = await known;
    },
  };
};
