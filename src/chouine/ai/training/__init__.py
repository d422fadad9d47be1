"""How the network is made: parties that Monte Carlo players play against themselves, and what is learned from them."""
