import type { OptionSpecs } from '../../cli/command.js';

/** By what the companies are measured, and where the result goes. */
export const checkOptions = {
  idle: {
    kind: 'duration',
    value: 'time',
    default: '30d',
    summary: {
      en: 'Warn when no document came for so long',
      pt: 'Avisa quando nenhum documento chega há tanto tempo',
    },
  },
  warn: {
    kind: 'duration',
    value: 'time',
    default: '30d',
    summary: {
      en: 'Warn so long before a certificate expires',
      pt: 'Avisa com essa antecedência do vencimento do certificado',
    },
  },
  within: {
    kind: 'duration',
    value: 'time',
    default: '10d',
    summary: {
      en: 'Warn so long before a manifestation runs out',
      pt: 'Avisa com essa antecedência do prazo de manifestação',
    },
  },
  overdueUpTo: {
    kind: 'duration',
    value: 'time',
    default: '30d',
    summary: {
      en: 'Leave out terms that ran out longer ago',
      pt: 'Deixa de fora prazos vencidos há mais tempo',
    },
  },
  deadlineRules: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'Your own terms by state, supplier or event, as YAML or JSON',
      pt: 'Prazos próprios além dos da lei (YAML)',
    },
  },
  expect: {
    kind: 'list',
    value: 'nfe,cte,nfse',
    summary: { en: 'A family that is not captured is a problem', pt: 'Família não capturada é problema' },
  },
  warnOnly: {
    kind: 'toggle',
    summary: { en: 'End 0 in spite of problems', pt: 'Termina em 0 apesar dos problemas' },
  },
  prometheus: {
    kind: 'toggle',
    summary: {
      en: 'Prometheus text on stdout, instead of --output',
      pt: 'Texto do Prometheus no stdout, em vez de --output',
    },
  },
  metricsFile: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'Replace this file with the Prometheus text, too',
      pt: 'Substitui também este arquivo pelo texto do Prometheus',
    },
  },
} as const satisfies OptionSpecs;
