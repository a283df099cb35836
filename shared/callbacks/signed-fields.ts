/** The five callback parameters that the signature covers, in the order of §5.3. */
export const signedNames = [
  'id',
  'order_number',
  'order_amount',
  'order_currency',
  'order_description',
] as const;
