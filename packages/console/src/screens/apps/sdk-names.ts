/** The SDKs by the names of SLUICE_SDKS and SLUICE_SAMPLE_APPS, as people know them (NAV-039, APP-030). */
const labels = new Map([
  ['android', 'Android'],
  ['ios_objective_c', 'iOS Objective-C'],
  ['ios_swift', 'iOS Swift'],
  ['javascript', 'JavaScript'],
  ['angularjs', 'AngularJS'],
  ['angular2', 'Angular 2'],
  ['ionic', 'Ionic'],
  ['titanium', 'Titanium'],
  ['reactjs', 'ReactJS'],
  ['dotnet', '.NET'],
]);

export const sdkLabel = (name: string): string => labels.get(name) ?? name;
