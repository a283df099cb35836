/** An example callback as in a merchant's server log (§5), to try the inspector without a real one. */
export const exampleCallback = [
  'id=0e4a7c1e-9d3b-4f57-8a66-2f1f0c9b7d10',
  'order_number=EXAMPLE-1',
  'order_amount=12.50',
  'order_currency=EUR',
  'order_description=Two tickets',
  'type=sale',
  'status=success',
  'hash=0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c',
].join('\n');
