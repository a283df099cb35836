const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of the fields that differ, two levels deep: `receiver.port`. Never their values. */
export const changedFields = (before: object, after: object): string[] =>
  Object.entries(after).flatMap(([name, value]) => {
    const old: unknown = (before as Readonly<Record<string, unknown>>)[name];
    if (JSON.stringify(old) === JSON.stringify(value)) return [];
    if (!isObject(old) || !isObject(value)) return [name];
    return Object.keys(value).flatMap(part =>
      JSON.stringify(old[part]) === JSON.stringify(value[part]) ? [] : [`${name}.${part}`],
    );
  });
