/*
 * Words by which a German sentence says what it is. Nouns begin with a capital letter there, so that nearly every
 * sentence has a name in it: the words must say more than in English.
 */

const MADE =
  '(?:angelegt|umgestellt|ge(?:\u00e4|ae)ndert|hinzugef(?:\u00fc|ue)gt|entfernt|ersetzt|vereinheitlicht|behoben|gel(?:\u00f6|oe)scht|umbenannt|erstellt|erg(?:\u00e4|ae)nzt|angepasst|eingebaut|verschoben|erweitert|korrigiert|aktualisiert|umgebaut|ausgef(?:\u00fc|ue)hrt|eingetragen|eingerichtet)';

export const GERMAN = {
  noise:
    /^(?:ich (?:schaue|sehe|pr(?:\u00fc|ue)fe|werde|k(?:\u00f6|oe)nnte|w(?:\u00fc|ue)rde|kann|starte|beginne|lese|suche|teste|vermute|denke|glaube|schlage)|wir k(?:\u00f6|oe)nnten|alternativ k(?:\u00f6|oe)nn|lass(?:t)? (?:mich|uns)|schauen wir|mal sehen|vielleicht|vermutlich|danke|gerne|klar\b|soll ich|m(?:\u00f6|oe)chtest|kannst du|sag(?:t)? (?:mir )?bescheid|als n(?:\u00e4|ae)chstes|zun(?:\u00e4|ae)chst|alle (?:\d+ )?tests?\b|die tests? (?:sind|ist|laufen))/i,
  decision:
    /\b(?:entschieden|beschlossen|vereinbart|entscheidung ist|wir (?:nehmen|verwenden|nutzen|benutzen|behalten|bleiben bei|setzen auf|verzichten|machen)|stattdessen|(?:geht|gehen|kommt|kommen) nicht\b(?=.*[,.] ?(?:weil|die|der|das|sonst|denn)\b)|bewusst (?:nicht|ohne|so)|bitte (?:erst|nur|nicht|immer|kein\w*))\b|^(?:(?:dann|bitte|gut|ok(?:ay)?)[,.]? )*(?:gib|nimm|setz|mach|lass|verwende|nutze|benutze|stell|leg|behalte|entferne)e?\b/i,
  change: new RegExp(`\\b(?:ich habe|wir haben|wurden?|habe ich)\\b.* ${MADE}\\b`, 'i'),
  error:
    /\b(?:fehler|bricht (?:\S+ ){0,8}ab|schl(?:\u00e4|ae)gt fehl|fehlgeschlagen|absturz|abgest(?:\u00fc|ue)rzt|st(?:\u00fc|ue)rzt ab|ursache|kaputt|doppelt|falsch\w*|negativ\w*|geht verloren|funktioniert nicht)\b/i,
  cause: /\b(?:weil|wegen|dadurch|deshalb|daran|entsteh(?:t|en)|wenn|falls|nachdem|sobald|tritt|durch)\b/i,
} as const;
