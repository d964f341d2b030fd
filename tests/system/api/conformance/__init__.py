"""The rules of the specification's sections 2-8 and of D1-D57, each as a small test named as a sentence."""
