// The SDKs that sample apps and downloads are for, by their names in settings and in the console (APP-030, NAV-039).

/** In the order of their list. */
export const sdks = [
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
] as const;
