/** The 27 states, and EX for abroad (facts §9). */
export const stateNames: readonly string[] =
  'AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO EX'.split(' ');
