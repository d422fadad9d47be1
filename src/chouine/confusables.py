"""Letters that look like a Latin letter or a digit, which stands before them. By `tools/confusables.py`."""

LOOK_ALIKES = """
2ƧϨꙄꝚ 3ƷȜЗӠⳌꝪꞫ 4Ꮞ 5Ƽ 6бᏮⳒ 8Ȣȣ 9ⳊꝮ AΑАᎪꓮ BΒВᏴꓐꞴ CСᏟⲤꓚ𐐕 DᎠꓓ EΕЕᎬⴹꓰ FϜꓝꞘ GԌᏀᏳꓖ HΗНᎻⲎꓧ JͿЈᎫꓙꞲ KΚКᏦⲔꓗ
LᏞⳐꓡ𐐛 MΜϺМᎷⲘꓟ NΝⲚꓠ OΟОՕⲞⵔꓳ𐐄 PΡРᏢⲢꓑ Qⵕ RƦᎡᏒꓣ SЅՏᏕᏚꓢ𐐠 TΤТᎢⲦꓔ UՍꓴ VѴᏙⴸꓦ WԜᎳᏔꓪ XΧХⲬⵝꓫꞳ YΥУҮᎩᎽⲨꓬ ZΖᏃꓜ
aɑαа bƄЬᏏ cсᴄⲥꮯ𐐽 dԁᏧꓒ eеҽꬲ fքẝꞙꬵ gƍɡցᶃ hһհᏂ iıɩɪιіӏᎥꙇꭵ jϳј lƖǀΙІӀⲒⵏꓲ nոռ oοσоօᴏᴑⲟꬽ𐐬 pρрⲣ qԛգզ
rгᴦⲅꭇꭈꮁ sƽѕꜱꮪ𐑈 uʋυսᴜꞟꭎꭒ vνѵᴠꮩ wɯѡԝաᴡꮃ xх yɣʏγуүᶌỿꭚ zᴢꮓ
"""
