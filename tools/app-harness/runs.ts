/** The number of runs of a property: few in all tests, six times as many in `npm run test:properties`, which names a seed. */
export const runs = (usual: number): number =>
  process.env['PROPERTY_SEED'] === undefined ? usual : usual * 6;
